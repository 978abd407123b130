<?xml version="1.0" encoding="UTF-8"?>
<!-- Allergy to one Allergy fact. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:variable name="snomed" select="'http://purl.bioontology.org/ontology/SNOMEDCT/'"/>

  <xsl:template match="/d:Allergy">
    <Models>
      <Model name="Allergy">
        <xsl:for-each select="d:allergen/d:type">
          <xsl:call-template name="listed">
            <xsl:with-param name="prefix" select="'category'"/>
            <xsl:with-param name="list" select="$snomed"/>
          </xsl:call-template>
        </xsl:for-each>
        <xsl:for-each select="d:reaction">
          <xsl:call-template name="coded"><xsl:with-param name="prefix" select="'allergic_reaction'"/></xsl:call-template>
        </xsl:for-each>
        <xsl:for-each select="d:severity">
          <xsl:call-template name="listed">
            <xsl:with-param name="prefix" select="'severity'"/>
            <xsl:with-param name="list" select="$snomed"/>
          </xsl:call-template>
        </xsl:for-each>
        <xsl:apply-templates select="d:allergen/d:name"/>
        <xsl:for-each select="d:allergen/d:name">
          <xsl:call-template name="coded"><xsl:with-param name="prefix" select="'allergen'"/></xsl:call-template>
        </xsl:for-each>
        <Field name="notes"><xsl:value-of select="d:specifics"/></Field>
      </Model>
    </Models>
  </xsl:template>

  <!-- A further column in addition to `allergen`, which holds every cause. The coding system decides which column; if
       it is none of the three, the category does. -->
  <xsl:template match="d:allergen/d:name">
    <xsl:variable name="system">
      <xsl:call-template name="system"><xsl:with-param name="uri" select="normalize-space(@type)"/></xsl:call-template>
    </xsl:variable>
    <xsl:variable name="category" select="normalize-space(../d:type/@value)"/>
    <xsl:variable name="column">
      <xsl:choose>
        <xsl:when test="$system = 'http://purl.bioontology.org/ontology/RXNORM/'">drug_allergen</xsl:when>
        <xsl:when test="$system = 'http://purl.bioontology.org/ontology/NDFRT/'">drug_class_allergen</xsl:when>
        <!-- A UNII names any substance. -->
        <xsl:when test="$system = 'http://fda.gov/UNII/' and ($category = '' or $category = '414285001' or $category = '235719002')">food_allergen</xsl:when>
        <xsl:when test="$category = '416098002' or $category = '59037007'">drug_allergen</xsl:when>
        <xsl:when test="$category = '414285001' or $category = '235719002'">food_allergen</xsl:when>
      </xsl:choose>
    </xsl:variable>
    <xsl:choose>
      <xsl:when test="not(string($column))"/>
      <xsl:when test="normalize-space(@type)">
        <xsl:call-template name="coded"><xsl:with-param name="prefix" select="$column"/></xsl:call-template>
      </xsl:when>
      <xsl:otherwise>
        <Field name="{$column}_title"><xsl:value-of select="normalize-space()"/></Field>
      </xsl:otherwise>
    </xsl:choose>
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

  <!-- The known names of a coding system; any other name passes unchanged. -->
  <xsl:template name="system">
    <xsl:param name="uri"/>
    <xsl:choose>
      <xsl:when test="$uri = 'http://snomed.info/sct'
                   or $uri = 'http://purl.bioontology.org/ontology/SNOMEDCT'
                   or $uri = 'urn:oid:2.16.840.1.113883.6.96'
                   or $uri = '2.16.840.1.113883.6.96'">http://purl.bioontology.org/ontology/SNOMEDCT/</xsl:when>
      <xsl:when test="$uri = 'http://www.nlm.nih.gov/research/umls/rxnorm'
                   or $uri = 'http://purl.bioontology.org/ontology/RXNORM'
                   or $uri = 'urn:oid:2.16.840.1.113883.6.88'
                   or $uri = '2.16.840.1.113883.6.88'">http://purl.bioontology.org/ontology/RXNORM/</xsl:when>
      <xsl:when test="$uri = 'http://hl7.org/fhir/ndfrt'
                   or $uri = 'http://purl.bioontology.org/ontology/NDFRT'
                   or $uri = 'urn:oid:2.16.840.1.113883.3.26.1.5'
                   or $uri = '2.16.840.1.113883.3.26.1.5'">http://purl.bioontology.org/ontology/NDFRT/</xsl:when>
      <xsl:when test="$uri = 'http://fdasis.nlm.nih.gov'
                   or $uri = 'http://fda.gov/UNII'
                   or $uri = 'urn:oid:2.16.840.1.113883.4.9'
                   or $uri = '2.16.840.1.113883.4.9'">http://fda.gov/UNII/</xsl:when>
      <xsl:otherwise><xsl:value-of select="$uri"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
