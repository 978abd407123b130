<?xml version="1.0" encoding="UTF-8"?>
<!-- Encounter to one Encounter fact. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:variable name="encounter-types" select="'http://smartplatforms.org/terms/codes/EncounterType#'"/>

  <xsl:template match="/d:Encounter">
    <Models>
      <Model name="Encounter"><xsl:call-template name="encounter"/></Model>
    </Models>
  </xsl:template>

  <!-- The columns of an Encounter, from an element of that type. -->
  <xsl:template name="encounter">
    <Field name="startDate"><xsl:value-of select="normalize-space(d:startDate)"/></Field>
    <Field name="endDate"><xsl:value-of select="normalize-space(d:endDate)"/></Field>
    <xsl:apply-templates select="d:encounterType | d:facility | d:provider"/>
  </xsl:template>

  <xsl:template match="d:encounterType">
    <xsl:call-template name="listed">
      <xsl:with-param name="prefix" select="'encounterType'"/>
      <xsl:with-param name="list" select="$encounter-types"/>
    </xsl:call-template>
  </xsl:template>

  <!-- HL7 v3 classes that have an equivalent in the list; the others pass unchanged. -->
  <xsl:template match="d:encounterType[@type = 'http://terminology.hl7.org/CodeSystem/v3-ActCode'
                                    or @type = 'http://hl7.org/fhir/v3/ActCode'
                                    or @type = 'urn:oid:2.16.840.1.113883.5.4']">
    <xsl:variable name="type">
      <xsl:choose>
        <xsl:when test="@value = 'AMB'">ambulatory</xsl:when>
        <xsl:when test="@value = 'EMER'">emergency</xsl:when>
        <xsl:when test="@value = 'FLD'">field</xsl:when>
        <xsl:when test="@value = 'HH'">home</xsl:when>
        <xsl:when test="@value = 'IMP'">inpatient</xsl:when>
        <xsl:when test="@value = 'VR'">virtual</xsl:when>
        <xsl:otherwise><xsl:value-of select="normalize-space(@value)"/></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <Field name="encounterType_identifier"><xsl:value-of select="$type"/></Field>
    <Field name="encounterType_title"><xsl:value-of select="normalize-space()"/></Field>
    <Field name="encounterType_system"><xsl:value-of select="$encounter-types"/></Field>
  </xsl:template>

  <xsl:template match="d:facility">
    <Field name="facility_name"><xsl:value-of select="normalize-space(d:name)"/></Field>
    <xsl:for-each select="d:address">
      <xsl:call-template name="address"><xsl:with-param name="prefix" select="'facility_adr'"/></xsl:call-template>
    </xsl:for-each>
  </xsl:template>

  <!-- A choice from a list. The list is the coding system, unless the document names another one. -->
  <xsl:template name="listed">
    <xsl:param name="prefix"/>
    <xsl:param name="list"/>
    <Field name="{$prefix}_identifier"><xsl:value-of select="normalize-space(@value)"/></Field>
    <Field name="{$prefix}_title"><xsl:value-of select="normalize-space()"/></Field>
    <Field name="{$prefix}_system">
      <xsl:choose>
        <xsl:when test="@type"><xsl:value-of select="normalize-space(@type)"/></xsl:when>
        <xsl:when test="normalize-space(@value)"><xsl:value-of select="$list"/></xsl:when>
      </xsl:choose>
    </Field>
  </xsl:template>

  <xsl:template match="d:provider">
    <xsl:for-each select="d:name">
      <xsl:call-template name="person"><xsl:with-param name="prefix" select="'provider_name'"/></xsl:call-template>
    </xsl:for-each>
    <xsl:for-each select="d:telephone">
      <xsl:variable name="prefix" select="concat('provider_tel_', position())"/>
      <Field name="{$prefix}_type"><xsl:value-of select="normalize-space(d:type)"/></Field>
      <Field name="{$prefix}_number"><xsl:value-of select="normalize-space(d:number)"/></Field>
      <Field name="{$prefix}_preferred_p"><xsl:value-of select="normalize-space(d:preferred) = 'true' or normalize-space(d:preferred) = '1'"/></Field>
    </xsl:for-each>
    <xsl:for-each select="d:address">
      <xsl:call-template name="address"><xsl:with-param name="prefix" select="'provider_adr'"/></xsl:call-template>
    </xsl:for-each>
    <Field name="provider_email"><xsl:value-of select="normalize-space(d:email)"/></Field>
    <Field name="provider_bday"><xsl:value-of select="substring(normalize-space(d:dateOfBirth), 1, 10)"/></Field>
    <Field name="provider_gender"><xsl:value-of select="substring(normalize-space(d:gender), 1, 1)"/></Field>
    <Field name="provider_ethnicity"><xsl:value-of select="normalize-space(d:ethnicity)"/></Field>
    <Field name="provider_preferred_language"><xsl:value-of select="normalize-space(d:preferredLanguage)"/></Field>
    <Field name="provider_race"><xsl:value-of select="normalize-space(d:race)"/></Field>
    <Field name="provider_dea_number"><xsl:value-of select="normalize-space(d:deaNumber)"/></Field>
    <Field name="provider_npi_number"><xsl:value-of select="normalize-space(d:npiNumber)"/></Field>
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
</xsl:stylesheet>
