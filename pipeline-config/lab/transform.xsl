<?xml version="1.0" encoding="UTF-8"?>
<!-- Lab to one LabResult fact per test, those of panels included. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:variable name="interpretations" select="'http://smartplatforms.org/terms/codes/LabResultInterpretation#'"/>
  <xsl:variable name="states" select="'http://smartplatforms.org/terms/codes/LabStatus#'"/>

  <xsl:template match="/d:Lab">
    <Models><xsl:apply-templates select="d:labPanel/d:labTest | d:labTest"/></Models>
  </xsl:template>

  <xsl:template match="d:labTest">
    <Model name="LabResult">
      <xsl:for-each select="d:name">
        <xsl:call-template name="coded"><xsl:with-param name="prefix" select="'test_name'"/></xsl:call-template>
      </xsl:for-each>
      <xsl:apply-templates select="d:result"/>
      <xsl:call-template name="status"/>
      <Field name="accession_number"><xsl:value-of select="normalize-space(d:accessionNumber)"/></Field>
      <Field name="notes">
        <xsl:value-of select="(d:notes[normalize-space()] | /d:Lab/d:comments[not(normalize-space(current()/d:notes))])[1]"/>
      </Field>
      <Field name="collected_at"><xsl:value-of select="normalize-space(d:dateMeasured)"/></Field>
      <xsl:apply-templates select="/d:Lab/d:laboratory | d:collectedBy"/>
    </Model>
  </xsl:template>

  <xsl:template match="d:result">
    <xsl:for-each select="d:valueAndUnit">
      <xsl:call-template name="amount"><xsl:with-param name="prefix" select="'quantitative_result_value'"/></xsl:call-template>
    </xsl:for-each>
    <xsl:for-each select="d:normalRange/d:minimum">
      <xsl:call-template name="amount"><xsl:with-param name="prefix" select="'quantitative_result_normal_range_min'"/></xsl:call-template>
    </xsl:for-each>
    <xsl:for-each select="d:normalRange/d:maximum">
      <xsl:call-template name="amount"><xsl:with-param name="prefix" select="'quantitative_result_normal_range_max'"/></xsl:call-template>
    </xsl:for-each>
    <xsl:for-each select="d:nonCriticalRange/d:minimum">
      <xsl:call-template name="amount"><xsl:with-param name="prefix" select="'quantitative_result_non_critical_range_min'"/></xsl:call-template>
    </xsl:for-each>
    <xsl:for-each select="d:nonCriticalRange/d:maximum">
      <xsl:call-template name="amount"><xsl:with-param name="prefix" select="'quantitative_result_non_critical_range_max'"/></xsl:call-template>
    </xsl:for-each>
    <Field name="narrative_result"><xsl:value-of select="normalize-space(d:narrative)"/></Field>
    <xsl:apply-templates select="d:interpretation"/>
  </xsl:template>

  <xsl:template match="d:interpretation">
    <xsl:call-template name="listed">
      <xsl:with-param name="prefix" select="'abnormal_interpretation'"/>
      <xsl:with-param name="list" select="$interpretations"/>
    </xsl:call-template>
  </xsl:template>

  <!-- HL7 v3 codes that have an equivalent in the list; the others pass unchanged. -->
  <xsl:template match="d:interpretation[@type = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation'
                                     or @type = 'http://hl7.org/fhir/v3/ObservationInterpretation'
                                     or @type = 'urn:oid:2.16.840.1.113883.5.83']">
    <xsl:variable name="code">
      <xsl:choose>
        <xsl:when test="@value = 'N'">normal</xsl:when>
        <xsl:when test="@value = 'A' or @value = 'H' or @value = 'L'">abnormal</xsl:when>
        <xsl:when test="@value = 'AA' or @value = 'HH' or @value = 'LL'">critical</xsl:when>
        <xsl:otherwise><xsl:value-of select="normalize-space(@value)"/></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <Field name="abnormal_interpretation_identifier"><xsl:value-of select="$code"/></Field>
    <Field name="abnormal_interpretation_title"><xsl:value-of select="normalize-space()"/></Field>
    <Field name="abnormal_interpretation_system"><xsl:if test="$code != ''"><xsl:value-of select="$interpretations"/></xsl:if></Field>
  </xsl:template>

  <xsl:template name="status">
    <xsl:variable name="final" select="normalize-space(d:final) = 'true' or normalize-space(d:final) = '1'"/>
    <xsl:choose>
      <xsl:when test="d:status">
        <xsl:for-each select="d:status">
          <xsl:call-template name="listed">
            <xsl:with-param name="prefix" select="'status'"/>
            <xsl:with-param name="list" select="$states"/>
          </xsl:call-template>
        </xsl:for-each>
      </xsl:when>
      <xsl:when test="$final">
        <Field name="status_identifier">final</Field>
        <Field name="status_title">Final</Field>
        <Field name="status_system"><xsl:value-of select="$states"/></Field>
      </xsl:when>
      <xsl:when test="d:final">
        <Field name="status_identifier">preliminary</Field>
        <Field name="status_title">Preliminary</Field>
        <Field name="status_system"><xsl:value-of select="$states"/></Field>
      </xsl:when>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="d:laboratory">
    <Field name="collected_by_org_name"><xsl:value-of select="normalize-space(d:name)"/></Field>
    <xsl:for-each select="d:address">
      <xsl:call-template name="address"><xsl:with-param name="prefix" select="'collected_by_org_adr'"/></xsl:call-template>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="d:collectedBy">
    <xsl:for-each select="d:name">
      <xsl:call-template name="person"><xsl:with-param name="prefix" select="'collected_by_name'"/></xsl:call-template>
    </xsl:for-each>
    <Field name="collected_by_role"><xsl:value-of select="normalize-space(d:role)"/></Field>
  </xsl:template>

  <xsl:template name="coded">
    <xsl:param name="prefix"/>
    <Field name="{$prefix}_identifier"><xsl:value-of select="normalize-space(@value)"/></Field>
    <Field name="{$prefix}_title"><xsl:value-of select="normalize-space()"/></Field>
    <Field name="{$prefix}_system">
      <xsl:call-template name="system"><xsl:with-param name="uri" select="normalize-space(@type)"/></xsl:call-template>
    </Field>
  </xsl:template>

  <!-- A choice from a list. The list is the coding system, unless the document names another one. -->
  <xsl:template name="listed">
    <xsl:param name="prefix"/>
    <xsl:param name="list"/>
    <Field name="{$prefix}_identifier"><xsl:value-of select="normalize-space(@value)"/></Field>
    <Field name="{$prefix}_title"><xsl:value-of select="normalize-space()"/></Field>
    <Field name="{$prefix}_system">
      <xsl:choose>
        <xsl:when test="@type">
          <xsl:call-template name="system"><xsl:with-param name="uri" select="normalize-space(@type)"/></xsl:call-template>
        </xsl:when>
        <xsl:when test="normalize-space(@value)"><xsl:value-of select="$list"/></xsl:when>
      </xsl:choose>
    </Field>
  </xsl:template>

  <!-- ValueAndUnit: the number, else its text; the unit's code, else its text. -->
  <xsl:template name="amount">
    <xsl:param name="prefix"/>
    <Field name="{$prefix}_value"><xsl:value-of select="normalize-space((d:value | d:textValue)[normalize-space()][1])"/></Field>
    <Field name="{$prefix}_unit"><xsl:value-of select="normalize-space((d:unit/@value | d:unit[not(normalize-space(@value))])[1])"/></Field>
  </xsl:template>

  <xsl:template name="person">
    <xsl:param name="prefix"/>
    <Field name="{$prefix}_family"><xsl:value-of select="normalize-space(d:familyName)"/></Field>
    <Field name="{$prefix}_given"><xsl:value-of select="normalize-space(d:givenName)"/></Field>
    <Field name="{$prefix}_middle"><xsl:value-of select="normalize-space(d:middleName)"/></Field>
    <Field name="{$prefix}_prefix"><xsl:value-of select="normalize-space(d:prefix)"/></Field>
    <Field name="{$prefix}_suffix"><xsl:value-of select="normalize-space(d:suffix)"/></Field>
  </xsl:template>

  <xsl:template name="address">
    <xsl:param name="prefix"/>
    <Field name="{$prefix}_country"><xsl:value-of select="normalize-space(d:country)"/></Field>
    <Field name="{$prefix}_city"><xsl:value-of select="normalize-space(d:city)"/></Field>
    <Field name="{$prefix}_postalcode"><xsl:value-of select="normalize-space(d:postalCode)"/></Field>
    <Field name="{$prefix}_region"><xsl:value-of select="normalize-space(d:region)"/></Field>
    <Field name="{$prefix}_street"><xsl:value-of select="normalize-space(d:street)"/></Field>
  </xsl:template>

  <!-- The known names of a coding system; any other name passes unchanged. -->
  <xsl:template name="system">
    <xsl:param name="uri"/>
    <xsl:choose>
      <xsl:when test="$uri = 'http://loinc.org'
                   or $uri = 'http://loinc.org/'
                   or $uri = 'http://purl.bioontology.org/ontology/LNC'
                   or $uri = 'http://purl.bioontology.org/ontology/LOINC/'
                   or $uri = 'urn:oid:2.16.840.1.113883.6.1'
                   or $uri = '2.16.840.1.113883.6.1'">http://purl.bioontology.org/ontology/LNC/</xsl:when>
      <xsl:otherwise><xsl:value-of select="$uri"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
